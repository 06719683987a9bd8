/** The API of vRealize Operations. */
@NullMarked
package io.peerlens.suiteapi;

import org.jspecify.annotations.NullMarked;
