/** Inventory of watched objects: their names, properties, tags and relations. */
@NullMarked
package io.peerlens.inventory;

import org.jspecify.annotations.NullMarked;
