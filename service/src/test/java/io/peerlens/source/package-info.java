@NullMarked
package io.peerlens.source;

import org.jspecify.annotations.NullMarked;
