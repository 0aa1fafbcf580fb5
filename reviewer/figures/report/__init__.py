"""The deep report: what was counted, read and tagged of a model, as a frozen value that is printed.

    deep_report.deep_report(material)     the sections of one model, in the order in which such reports are read
    board_report.board_report(material)   what reading taught across models
    markdown_page, html_page              either as a page

Nothing here asks people, writes files or draws screens.
"""
