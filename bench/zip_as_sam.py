"""`tools/sam/.venv/bin/python bench/zip_as_sam.py FOLDER NAME`: zip it with the SAM CLI's own code.

It calls the function that `sam deploy` calls, and prints the zip's path.
"""

import sys

from samcli.lib.package.utils import make_zip_with_lambda_permissions

if __name__ == "__main__":
    folder, name = sys.argv[1:]
    print(make_zip_with_lambda_permissions(name, folder))
