"""The deep report: what was counted, read and tagged of a model, as a frozen value that is printed.

    deep_report.deep_report(material)     the sections of one model, in the order in which such reports are read
    board_report.board_report(material)   what reading taught across models
    pages.markdown_lines, html_lines      either as a page

Nothing here asks people, writes files or draws screens.
"""
