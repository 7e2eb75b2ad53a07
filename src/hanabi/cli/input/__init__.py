"""What commands are given: options, files, many inputs in one."""
