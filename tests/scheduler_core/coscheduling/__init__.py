"""Tests of coscheduling."""
