"""Starts the kernel: python -m madrigal_kernel -f CONNECTION_FILE."""

from madrigal_kernel import run_kernel

run_kernel()
