"""Experiments as forms: fields with help and choices, and the values of a filled form."""

from cardwin.web.forms.form import filled, form_of, preset_values, repeat_form, run_values

__all__ = ["filled", "form_of", "preset_values", "repeat_form", "run_values"]
