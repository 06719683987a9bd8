package io.peerlens.notify.lookup;

import io.peerlens.alerttemplates.LookupTable;

/** A lookup table with its name. */
record NamedTable(String name, LookupTable table) {}
