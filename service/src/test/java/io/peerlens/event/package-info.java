@NullMarked
package io.peerlens.event;

import org.jspecify.annotations.NullMarked;
