@NullMarked
package io.peerlens.database;

import org.jspecify.annotations.NullMarked;
