/** What this process is called and which roles it takes on. */
@NullMarked
package io.peerlens.node;

import org.jspecify.annotations.NullMarked;
