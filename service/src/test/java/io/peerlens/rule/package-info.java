@NullMarked
package io.peerlens.rule;

import org.jspecify.annotations.NullMarked;
