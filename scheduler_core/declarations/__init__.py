"""How policies, their parameters and families are declared and found."""
