package io.peerlens.notify.definition;

import io.peerlens.alerttemplates.LookupTable;

/** Lookup table with its name. */
record NamedTable(String name, LookupTable table) {}
