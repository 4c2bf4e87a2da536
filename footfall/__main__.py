"""``python -m footfall``."""

import sys

from footfall.cli import main

sys.exit(main())
