/**
 * Web parts that every controller shares: problems, cursors, moments, limits; and the pages'
 * addresses.
 */
@NullMarked
package io.peerlens.web;

import org.jspecify.annotations.NullMarked;
