/** The service: one jar, four roles. */
@NullMarked
package io.peerlens;

import org.jspecify.annotations.NullMarked;
