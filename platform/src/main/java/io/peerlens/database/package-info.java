/** Connections to the database: a pool for each kind of work, and whether the database answers. */
@NullMarked
package io.peerlens.database;

import org.jspecify.annotations.NullMarked;
