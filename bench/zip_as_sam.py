"""`tools/sam/.venv/bin/python bench/zip_as_sam.py FOLDER NAME`: zip it with the SAM CLI's own code.

Runs in the SAM CLI's environment and calls the function that `sam deploy` calls. Prints the zip's
path.
"""

import sys

from samcli.lib.package.utils import make_zip_with_lambda_permissions

if __name__ == "__main__":
    folder, name = sys.argv[1:]
    print(make_zip_with_lambda_permissions(name, folder))
