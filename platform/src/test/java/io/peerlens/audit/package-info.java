@NullMarked
package io.peerlens.audit;

import org.jspecify.annotations.NullMarked;
