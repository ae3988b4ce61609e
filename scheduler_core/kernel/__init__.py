"""Compiled structures that the engines share: flat arrays, no objects, no allocation while events are taken."""
