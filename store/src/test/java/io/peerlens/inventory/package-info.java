@NullMarked
package io.peerlens.inventory;

import org.jspecify.annotations.NullMarked;
