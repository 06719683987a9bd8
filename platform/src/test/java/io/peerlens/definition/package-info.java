@NullMarked
package io.peerlens.definition;

import org.jspecify.annotations.NullMarked;
