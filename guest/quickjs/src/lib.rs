//! Empty: this package only pins where the C sources of QuickJS-ng come from.
