@NullMarked
package io.peerlens.source.state;

import org.jspecify.annotations.NullMarked;
