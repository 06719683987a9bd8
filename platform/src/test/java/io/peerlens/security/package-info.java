@NullMarked
package io.peerlens.security;

import org.jspecify.annotations.NullMarked;
