/** Identity of this process: its name and the roles that it takes on. */
@NullMarked
package io.peerlens.node;

import org.jspecify.annotations.NullMarked;
