"""What tests of packages share."""

import subprocess


def run(*words, **options):
    """Run a command that has to succeed, and give what it prints."""
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False, **options)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
