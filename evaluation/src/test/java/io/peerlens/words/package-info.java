@NullMarked
package io.peerlens.words;

import org.jspecify.annotations.NullMarked;
