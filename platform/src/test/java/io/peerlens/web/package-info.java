@NullMarked
package io.peerlens.web;

import org.jspecify.annotations.NullMarked;
