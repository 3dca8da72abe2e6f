"""Exact values: what searches are measured against."""
