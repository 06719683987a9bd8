@NullMarked
package io.peerlens.assistant;

import org.jspecify.annotations.NullMarked;
