@NullMarked
package io.peerlens.source.collect;

import org.jspecify.annotations.NullMarked;
