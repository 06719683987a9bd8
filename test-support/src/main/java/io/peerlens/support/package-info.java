/** What tests share: a real database, a real broker, the running service. */
@NullMarked
package io.peerlens.support;

import org.jspecify.annotations.NullMarked;
