#![allow(warnings)]
#[path = "../../src/models/mod.rs"]
mod models;
use models::QueryOrder200ResponseData::BuyOrder;
use std::io::{Read, Write};

fn call<Asked: serde::de::DeserializeOwned + serde::Serialize, Answer: serde::de::DeserializeOwned>(
    base: &str, path: &str, text: &str,
) -> Answer {
    let asked: Asked = serde_json::from_str(text).unwrap();
    let body = serde_json::to_string(&asked).unwrap();
    let (host, prefix) = base.trim_start_matches("http://").split_once('/').unwrap();
    let mut stream = std::net::TcpStream::connect(host).unwrap();
    let head = format!("POST /{prefix}{path} HTTP/1.0\r\nHost: {host}\r\nContent-Type: application/json");
    write!(stream, "{head}\r\nContent-Length: {}\r\n\r\n{body}", body.len()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).expect(&answer)
}

fn main() {
    let given: Vec<String> = std::env::args().collect();
    let _: models::TestCreateOrder200Response =
        call::<models::TestCreateOrderRequest, _>(&given[1], "/test/createOrder", &given[2]);
    let found: models::QueryOrder200Response =
        call::<models::AnyNumber, _>(&given[1], "/merchant/queryOrder", &given[3]);
    let page: models::ListOrders200Response =
        call::<models::OrderListing, _>(&given[1], "/merchant/listOrders", &given[4]);
    let BuyOrder(order) = *found.data else { panic!("not a buy") };
    println!("{} {} {}", order.order_no, order.order_id, page.data.orders.len());
}
