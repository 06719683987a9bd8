@NullMarked
package io.peerlens.summary;

import org.jspecify.annotations.NullMarked;
