@NullMarked
package io.peerlens.supermetric;

import org.jspecify.annotations.NullMarked;
