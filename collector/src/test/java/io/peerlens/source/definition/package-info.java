@NullMarked
package io.peerlens.source.definition;

import org.jspecify.annotations.NullMarked;
