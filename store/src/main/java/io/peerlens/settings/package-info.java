/** Configuration objects that are changed at run time, and what this installation is. */
@NullMarked
package io.peerlens.settings;

import org.jspecify.annotations.NullMarked;
