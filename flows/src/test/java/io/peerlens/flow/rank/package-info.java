@NullMarked
package io.peerlens.flow.rank;

import org.jspecify.annotations.NullMarked;
