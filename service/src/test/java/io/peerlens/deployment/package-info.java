/** Files that install Peerlens elsewhere. */
@NullMarked
package io.peerlens.deployment;

import org.jspecify.annotations.NullMarked;
