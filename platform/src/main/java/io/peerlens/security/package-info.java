/** Access control: API tokens, browser sessions and the roles that the contract names. */
@NullMarked
package io.peerlens.security;

import org.jspecify.annotations.NullMarked;
