"""`tools/sam/.venv/bin/python bench/zip_as_sam.py FOLDER NAME`: zip it with the SAM CLI's own code.

Runs in the SAM CLI's environment, so that what is measured went through the very function that
`sam deploy` packs with. Prints the zip's path.
"""

import sys

from samcli.lib.package.utils import make_zip_with_lambda_permissions

if __name__ == "__main__":
    folder, name = sys.argv[1:]
    print(make_zip_with_lambda_permissions(name, folder))
