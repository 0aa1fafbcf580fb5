"""Numbers and pages.

Owns what is counted across conversations (`measure/`), the exports of tagged words (`export/`) and the reports
(`report/`). It must not write to a store or a journal, and must not know screens.
Read first: `measure.metrics`, `export.collection`, `report.deep_report`.
"""
