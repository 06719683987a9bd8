@NullMarked
package io.peerlens.scope;

import org.jspecify.annotations.NullMarked;
