@NullMarked
package io.peerlens.supermetrics;

import org.jspecify.annotations.NullMarked;
