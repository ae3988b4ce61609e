"""Forms that figures of several studies take."""
