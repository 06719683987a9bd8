@NullMarked
package io.peerlens.evaluation;

import org.jspecify.annotations.NullMarked;
