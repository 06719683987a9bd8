@NullMarked
package io.peerlens.event.mapping;

import org.jspecify.annotations.NullMarked;
