/**
 * The API of vRealize Operations ({@code /suite-api/api}), for programs that speak it: the same
 * objects, values, alerts and definitions as everywhere, in its words.
 */
@NullMarked
package io.peerlens.suiteapi;

import org.jspecify.annotations.NullMarked;
