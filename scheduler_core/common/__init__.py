"""What every room uses: errors, files, units of time, and which source files a module reaches."""
